//! What every block with an address says: its name, what comes before it, and how its objects may change.

use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::base::span::Spanned;
use crate::resolve::blocks::patch;
use crate::resolve::decode::Decoder;
use crate::resolve::stack::{Head, Lifecycle};
use crate::resolve::{instances, text};

impl Decoder<'_> {
    /// Address, object name, and what every block may say.
    pub fn head(&self) -> Head {
        let label = self.label().unwrap_or_else(|| self.default(String::new()));
        let key = self.instance.as_ref().map(|instance| instance.key.clone());
        let addr = Addr { key, ..Addr::new(self.block.kind.value.as_str(), label.value.as_str()) };
        let given = self.string("name");
        let is_named = given.is_some();
        let name = given.unwrap_or_else(|| Spanned::new(object_name(&addr), label.span));
        let depends_on = self.addresses("depends_on");
        let lifecycle = self.block("lifecycle").map(|block| block.lifecycle()).unwrap_or_default();
        let patches = patch::decode(self);
        let (span, extent) = (self.block.header, self.block.span);
        Head { called: addr.clone(), addr, name, is_named, depends_on, lifecycle, patches, span, extent }
    }

    fn lifecycle(&self) -> Lifecycle {
        let fields = self.strings("ignore_changes");
        for field in &fields {
            if !text::is_word(field) || field.split('.').any(str::is_empty) {
                self.report(
                    Diag::error("type", "`ignore_changes` takes fields of the objects")
                        .at(field.span, format!("{:?} is not the path of one", field.value))
                        .help("Write paths as a plan shows them: \"metadata.annotations\", \"node_count\"."),
                );
            }
        }
        Lifecycle {
            prevent_destroy: self.flag("prevent_destroy", false),
            ignore_changes: fields.into_iter().map(|field| field.value).collect(),
            replace_triggered_by: self.addresses("replace_triggered_by"),
        }
    }

    /// The blocks that a list names, each instance of a block that has several.
    fn addresses(&self, name: &str) -> Vec<Addr> {
        let Some(value) = self.value(name) else { return Vec::new() };
        match instances::addresses(name, &value, value.span) {
            Ok(found) => {
                let key = self.instance.as_ref().map(|instance| &instance.key);
                for addr in &found {
                    self.context.refer(addr, value.span, key);
                }
                found.into_iter().collect()
            }
            Err(diag) => {
                self.report(*diag);
                Vec::new()
            }
        }
    }
}

/// The name of the object that a block becomes, where it says none: its own, and an instance's key.
pub fn object_name(addr: &Addr) -> String {
    let name = addr.name.replace('_', "-");
    addr.key.as_ref().map_or_else(|| name.clone(), |key| format!("{name}-{}", instances::name_part(key)))
}
