// The search field: sections in which all words occur, those with them in their title first.
const field = document.querySelector("input[type=search]");
const found = document.querySelector("#found");
const root = document.currentScript.dataset.root;
let loading = null;

function load() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root + "search-index.js";
    script.onload = () => resolve();
    script.onerror = () => {
      loading = null;
      reject(new Error("search-index.js is missing"));
    };
    document.head.append(script);
  });
  return loading;
}

async function search() {
  try {
    await load();
  } catch (error) {
    found.textContent = "Nothing can be searched: " + error.message + ".";
    return;
  }
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const within = (text) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const hits = words.length === 0 ? [] : sections
    .filter(([, title, text]) => within(title + " " + text) === words.length)
    .map((section) => [within(section[1]), section])
    .sort(([a], [b]) => b - a)
    .slice(0, 20);
  found.replaceChildren(...hits.map(([, [to, title, text]]) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = root + to;
    link.textContent = title;
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 40);
    item.append(link, " " + text.slice(at, at + 140));
    return item;
  }));
  if (words.length > 0 && hits.length === 0) {
    found.textContent = "Nothing is found.";
  }
}

field.addEventListener("focus", () => load().catch(() => {}));
field.addEventListener("input", search);
