//! How Terraform's provider names resources that exist, for `import`.

/// The ids by which resources of a kind are imported.
#[derive(Debug)]
pub struct ImportId {
    /// `google_container_cluster`.
    pub kind: &'static str,
    /// The field that holds the resource's name.
    pub name: &'static str,
    /// The forms of its id, the fullest first. Words in capitals stand for any part; NAME for the resource's name, and
    /// EMAIL for one that begins with it.
    pub forms: &'static [&'static str],
}

/// Where the forms were read.
pub const IMPORT_SOURCE: &str = "documentation of the provider hashicorp/google: Import";

/// Kinds that can be imported. Grants are not among them: granting again changes nothing.
pub const IMPORT_IDS: &[ImportId] = &[
    ImportId {
        kind: "google_container_cluster",
        name: "name",
        forms: &["projects/PROJECT/locations/LOCATION/clusters/NAME", "PROJECT/LOCATION/NAME", "LOCATION/NAME"],
    },
    ImportId {
        kind: "google_container_node_pool",
        name: "name",
        forms: &["PROJECT/LOCATION/CLUSTER/NAME", "LOCATION/CLUSTER/NAME"],
    },
    ImportId { kind: "google_storage_bucket", name: "name", forms: &["PROJECT/NAME", "NAME"] },
    ImportId { kind: "google_service_account", name: "account_id", forms: &["projects/PROJECT/serviceAccounts/EMAIL"] },
    ImportId {
        kind: "google_compute_resource_policy",
        name: "name",
        forms: &["projects/PROJECT/regions/REGION/resourcePolicies/NAME", "PROJECT/REGION/NAME", "REGION/NAME", "NAME"],
    },
];

impl ImportId {
    /// The row of a kind.
    pub fn of(kind: &str) -> Option<&'static Self> {
        IMPORT_IDS.iter().find(|row| row.kind == kind)
    }

    /// Whether an id has one of the forms, for a resource of that name.
    pub fn fits(&self, id: &str, name: &str) -> bool {
        let parts: Vec<&str> = id.split('/').collect();
        self.forms.iter().any(|form| {
            let form: Vec<&str> = form.split('/').collect();
            form.len() == parts.len() && form.iter().zip(&parts).all(|(form, part)| part_fits(form, part, name))
        })
    }

    /// The fullest form, for a resource of that name.
    pub fn wanted(&self, name: &str) -> String {
        self.forms[0].replace("NAME", name).replace("EMAIL", &format!("{name}@PROJECT.iam.gserviceaccount.com"))
    }
}

fn part_fits(form: &str, part: &str, name: &str) -> bool {
    let plain = !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:@".contains(c));
    match form {
        "NAME" => part == name,
        "EMAIL" => plain && part.split_once('@').is_some_and(|(account, _)| account == name),
        any if any.chars().all(|c| c.is_ascii_uppercase()) => plain,
        word => part == word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_one_of_the_forms_and_the_name() {
        let cluster = ImportId::of("google_container_cluster").unwrap();
        for id in ["projects/demo/locations/us-east5/clusters/tpu", "demo/us-east5/tpu", "us-east5/tpu"] {
            assert!(cluster.fits(id, "tpu"), "{id}");
        }
        for id in ["tpu", "demo/us-east5/other", "projects/demo/zones/us-east5/clusters/tpu", "//tpu", "a b/c/tpu"] {
            assert!(!cluster.fits(id, "tpu"), "{id}");
        }
        let account = ImportId::of("google_service_account").unwrap();
        assert!(account.fits(&account.wanted("ml").replace("PROJECT", "demo"), "ml"));
        assert!(!account.fits("projects/demo/serviceAccounts/ml", "ml"));
    }
}
