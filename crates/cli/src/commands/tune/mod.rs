//! `sunzi tune`: launch shapes of kernels, chosen for sizes that were never run.

mod choose;
mod code;
mod fit;
mod input;
mod kernel;
mod own;
mod run;

super::commands! {
    /// The commands that tune.
    TuneCommand {
        /// Runs a kernel's shapes at small sizes on a device, and writes the formulas that choose for any size
        Kernel(kernel::KernelArguments),
        /// Writes the formulas from times that are measured already
        Fit(fit::Fit),
        /// The shape for a size, by formulas
        Choose(choose::Choose),
        /// Formulas as Rust or C that needs nothing else
        Code(code::Code),
        /// Runs a program, and chooses the launch shapes of its kernels while it runs; its source is not needed
        Run(run::RunArguments),
        /// Measures this program's algorithms on the processor and its kernels on a device, and chooses accordingly from then on
        #[command(name = "self")]
        Own(own::Own),
        /// What `tune self` has measured, and `tune run` has learned
        Show(own::Show),
        /// Forgets what `tune self` has measured, and `tune run` has learned
        Reset(own::Reset),
    }
}
