//! The accelerator types that Ray names.

use crate::facts::version::Version;

/// Who makes an accelerator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vendor {
    /// Google's TPUs.
    Tpu,
    /// NVIDIA's GPUs.
    Nvidia,
    /// AMD's GPUs.
    Amd,
    /// Intel's GPUs and Gaudi.
    Intel,
    /// Apple's chips.
    Apple,
    /// Others.
    Other,
}

/// A value that `LLMConfig.accelerator_type` takes; Ray Train and Ray Core take any string and wait for ever.
#[derive(Debug)]
pub struct AcceleratorType {
    /// The exact spelling.
    pub name: &'static str,
    /// Who makes it.
    pub vendor: Vendor,
    /// The first release that has it; 2.54 for those that are older than the table.
    pub since: Version,
    /// True if a node of it ever reports this name by itself.
    pub detected: bool,
}

const fn named(name: &'static str, vendor: Vendor, minor: u32) -> AcceleratorType {
    AcceleratorType { name, vendor, since: Version::new(2, minor, 0), detected: true }
}

/// A name that Ray has, but never gives a node: work that asks for it waits for ever.
const fn undetected(name: &'static str, vendor: Vendor, minor: u32) -> AcceleratorType {
    AcceleratorType { name, vendor, since: Version::new(2, minor, 0), detected: false }
}

/// Every accelerator type of Ray 2.60, by vendor and name.
pub static ACCELERATOR_TYPES: &[AcceleratorType] = &[
    named("TPU-V2", Vendor::Tpu, 54),
    named("TPU-V3", Vendor::Tpu, 54),
    named("TPU-V4", Vendor::Tpu, 54),
    named("TPU-V5LITEPOD", Vendor::Tpu, 54),
    named("TPU-V5P", Vendor::Tpu, 54),
    named("TPU-V6E", Vendor::Tpu, 54),
    named("TPU-V7X", Vendor::Tpu, 54),
    named("A100", Vendor::Nvidia, 54),
    undetected("A100-40G", Vendor::Nvidia, 54),
    undetected("A100-80G", Vendor::Nvidia, 54),
    named("A10G", Vendor::Nvidia, 54),
    named("B200", Vendor::Nvidia, 54),
    named("B300", Vendor::Nvidia, 55),
    named("GB200", Vendor::Nvidia, 58),
    named("GB300", Vendor::Nvidia, 58),
    named("H100", Vendor::Nvidia, 54),
    named("H20", Vendor::Nvidia, 54),
    named("H200", Vendor::Nvidia, 54),
    named("K80", Vendor::Nvidia, 54),
    named("L4", Vendor::Nvidia, 54),
    named("L40S", Vendor::Nvidia, 54),
    named("P100", Vendor::Nvidia, 54),
    named("P4", Vendor::Nvidia, 54),
    named("RTX-PRO-6000", Vendor::Nvidia, 57),
    named("T4", Vendor::Nvidia, 54),
    named("V100", Vendor::Nvidia, 54),
    named("AMD-Instinct-MI100", Vendor::Amd, 54),
    named("AMD-Instinct-MI210", Vendor::Amd, 54),
    named("AMD-Instinct-MI250X", Vendor::Amd, 54),
    named("AMD-Instinct-MI250X-MI250", Vendor::Amd, 54),
    named("AMD-Instinct-MI300A", Vendor::Amd, 54),
    named("AMD-Instinct-MI300X-HF", Vendor::Amd, 54),
    named("AMD-Instinct-MI300X-OAM", Vendor::Amd, 54),
    named("AMD-Instinct-MI308X", Vendor::Amd, 54),
    named("AMD-Instinct-MI325X-OAM", Vendor::Amd, 54),
    named("AMD-Instinct-MI350X-OAM", Vendor::Amd, 54),
    named("AMD-Instinct-MI355X-OAM", Vendor::Amd, 54),
    named("AMD-Radeon-HD-7900", Vendor::Amd, 54),
    named("AMD-Radeon-R9-200-HD-7900", Vendor::Amd, 54),
    named("Intel-GAUDI", Vendor::Intel, 54),
    named("Intel-GPU-Max-1100", Vendor::Intel, 54),
    named("Intel-GPU-Max-1550", Vendor::Intel, 54),
    named("Apple-Silicon", Vendor::Apple, 58),
    named("M1", Vendor::Apple, 58),
    named("M1-Max", Vendor::Apple, 58),
    named("M1-Pro", Vendor::Apple, 58),
    named("M1-Ultra", Vendor::Apple, 58),
    named("M2", Vendor::Apple, 58),
    named("M2-Max", Vendor::Apple, 58),
    named("M2-Pro", Vendor::Apple, 58),
    named("M2-Ultra", Vendor::Apple, 58),
    named("M3", Vendor::Apple, 58),
    named("M3-Max", Vendor::Apple, 58),
    named("M3-Pro", Vendor::Apple, 58),
    named("Ascend910B", Vendor::Other, 54),
    named("Ascend910B4", Vendor::Other, 54),
    named("FURIOSA_RNGD", Vendor::Other, 56),
    named("MOBILINT_ARIES", Vendor::Other, 59),
    named("MOBILINT_REGULUS", Vendor::Other, 59),
    named("MXC500", Vendor::Other, 54),
    named("MXC550", Vendor::Other, 54),
    named("aws-neuron-core", Vendor::Other, 54),
];
