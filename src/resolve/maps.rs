//! Readers of maps, whose keys and values Kubernetes has rules for.

use std::collections::BTreeMap;

use crate::base::diag::Diag;
use crate::base::span::Spanned;
use crate::base::suggest::did_you_mean;
use crate::resolve::decode::Decoder;
use crate::resolve::{quantity, text};

/// What a key or a value must be: its words, and the check.
type Form = (&'static str, fn(&str) -> bool);

const KEY: Form = ("a key that Kubernetes takes, such as team or example.com/team", text::is_key);
const LABEL: Form = ("a label's value: at most 63 letters, digits, -, _ and .", text::is_label_value);
const ENV_NAME: Form = ("the name of an environment variable", text::is_env_name);
const FILE_NAME: Form = ("a file's name: at most 253 letters, digits, -, _ and .", text::is_file_name);
const PORT_NAME: Form =
    ("a port's name: at most 15 lower-case letters, digits and -, with a letter", text::is_port_name);
const QUANTITY: Form = ("a quantity, such as 4 or \"200Gi\"", quantity::is_quantity);
const ANY: Form = ("a string without invisible characters", |text| !text.chars().any(text::is_invisible));

/// Fields that an environment variable can stand for (Kubernetes, `EnvVarSource.fieldRef`).
const POD_FIELDS: &[&str] = &[
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];

fn is_pod_field(path: &str) -> bool {
    let of_map = |map: &str| {
        let key = path.strip_prefix(map).and_then(|rest| rest.strip_prefix("['")?.strip_suffix("']"));
        key.is_some_and(text::is_key)
    };
    POD_FIELDS.contains(&path) || of_map("metadata.labels") || of_map("metadata.annotations")
}

impl Decoder<'_> {
    /// Labels, or a node selector.
    pub fn labels(&self, name: &str) -> BTreeMap<String, String> {
        plain(self.map_of(name, KEY, LABEL))
    }

    /// Annotations.
    pub fn annotations(&self, name: &str) -> BTreeMap<String, String> {
        plain(self.map_of(name, KEY, ANY))
    }

    /// Quantities by resource.
    pub fn quantities(&self, name: &str) -> BTreeMap<String, String> {
        plain(self.map_of(name, KEY, QUANTITY))
    }

    /// Options of a program, by name.
    pub fn options(&self, name: &str) -> BTreeMap<String, String> {
        plain(self.map_of(name, ("an option's name", text::is_word), ANY))
    }

    /// An environment.
    pub fn environment(&self, name: &str) -> BTreeMap<String, Spanned<String>> {
        self.map_of(name, ENV_NAME, ANY)
    }

    /// An environment from fields of the pod.
    pub fn pod_fields(&self, name: &str) -> BTreeMap<String, Spanned<String>> {
        let mut map = self.map_of(name, ENV_NAME, ANY);
        map.retain(|variable, field| {
            let known = is_pod_field(&field.value);
            if !known {
                let near = did_you_mean(&field.value, POD_FIELDS.iter().copied());
                self.report(
                    Diag::error("type", format!("`{name}` names a field that a pod does not offer"))
                        .at(field.span, format!("{variable} is {:?}", field.value))
                        .help(format!(
                            "Fields: {}, metadata.labels['KEY'], metadata.annotations['KEY'].{near}",
                            POD_FIELDS.join(", ")
                        )),
                );
            }
            known
        });
        map
    }

    /// Files by name.
    pub fn files(&self, name: &str) -> BTreeMap<String, String> {
        plain(self.map_of(name, FILE_NAME, ANY))
    }

    /// Ports by name.
    pub fn named_ports(&self, name: &str) -> BTreeMap<String, u16> {
        let mut ports = BTreeMap::new();
        for (port, number) in self.map_of(name, PORT_NAME, ANY) {
            match number.value.parse::<u16>() {
                Ok(number) if number > 0 => {
                    ports.insert(port, number);
                }
                _ => self.report(
                    Diag::error("type", format!("`{name}` holds a value that may not be"))
                        .at(number.span, format!("the port {:?}", number.value))
                        .help("Ports are 1 to 65535."),
                ),
            }
        }
        ports
    }

    fn map_of(&self, name: &str, key_form: Form, value_form: Form) -> BTreeMap<String, Spanned<String>> {
        let mut map = self.string_map(name);
        map.retain(|key, value| {
            let wrong = [(key.as_str(), "key", key_form), (value.value.as_str(), "value", value_form)];
            let wrong = wrong.into_iter().find(|(text, _, (_, fits))| !fits(text));
            if let Some((text, what, (words, _))) = wrong {
                self.report(
                    Diag::error("type", format!("`{name}` holds a {what} that may not be"))
                        .at(value.span, format!("the {what} {text:?}"))
                        .help(format!("It takes {words}.")),
                );
            }
            wrong.is_none()
        });
        map
    }
}

fn plain(map: BTreeMap<String, Spanned<String>>) -> BTreeMap<String, String> {
    map.into_iter().map(|(key, value)| (key, value.value)).collect()
}
