"""The notebook, and interrupts of cells, in a kernel of Jupyter."""

import time
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
kernelspec = pytest.importorskip("ipykernel.kernelspec")
pytest.importorskip("matplotlib")
pytest.importorskip("scipy")
pytest.importorskip("sympy")

from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpecManager

TOUR = Path(__file__).parents[1] / "examples" / "tour.ipynb"


@pytest.fixture
def manager(tmp_path, monkeypatch):
    """Kernels of this interpreter, which finds the package as the tests do."""
    kernelspec.write_kernel_spec(tmp_path / "sunzi")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.delenv("MPLBACKEND", raising=False)
    specs = KernelSpecManager(kernel_dirs=[str(tmp_path)], ensure_native_kernel=False)
    return KernelManager(kernel_name="sunzi", kernel_spec_manager=specs)


def test_the_notebook_runs(manager):
    notebook = nbformat.read(TOUR, as_version=4)
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)
    start = time.monotonic()
    nbclient.NotebookClient(notebook, km=manager, timeout=120).execute()
    assert time.monotonic() - start < 60
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", [])]
    assert not [out for out in outputs if out.output_type == "error"]
    assert len([out for out in outputs if "image/png" in out.get("data", {})]) == 3


def test_a_cell_is_interrupted(manager):
    manager.start_kernel()
    client = manager.client()
    client.start_channels()

    def reply(code, interrupt=None):
        """What a cell answers, and how long after the interrupt."""
        # Without `stop_on_error=False` the kernel drops what comes in the moment after an error.
        message = client.execute(code, stop_on_error=False)
        if interrupt is not None:
            time.sleep(interrupt)
            manager.interrupt_kernel()
        start = time.monotonic()
        while True:
            answer = client.get_shell_msg(timeout=60)
            if answer["parent_header"].get("msg_id") == message:
                return answer["content"], time.monotonic() - start

    try:
        client.wait_for_ready(timeout=60)
        made, _ = reply("import sunzi; a = sunzi.Integer(7) ** 118_329_500; assert a > 0")
        assert made["status"] == "ok", made
        stopped, late = reply("while True: sunzi.mul(a, a)", interrupt=0.7)
        assert stopped["status"] == "error" and stopped["ename"] == "KeyboardInterrupt", stopped
        assert late < 2
        right, _ = reply("assert sunzi.mul(10**3000, 10**3000) == 10**6000 and sunzi.det([[1, 2], [3, 4]]) == -2")
        assert right["status"] == "ok", right
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
