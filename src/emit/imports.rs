//! `import` blocks: which file or resource each means, and the blocks that Terraform takes in its root module only.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::diag::{Diag, Diags};
use crate::emit::hcl::{self, Block, Expr};
use crate::emit::object::first_line;
use crate::emit::{Executor, Manifest, fields};
use crate::facts::terraform::{IMPORT_SOURCE, ImportId};
use crate::resolve::stack::Import;

/// The file that holds Terraform's import blocks. Terraform reads no file of this ending.
pub const FILE: &str = "gke/imports.tf.example";

/// What a stack takes over.
#[derive(Clone, Debug, Default)]
pub struct Imports {
    /// Files of Kubernetes objects that may be there, by path.
    pub files: BTreeSet<String>,
    /// The ids of Terraform's resources, by the path of the resource's file.
    pub resources: BTreeMap<String, String>,
    /// The text of [`FILE`]; none without such resources.
    pub text: Option<String>,
}

/// Finds what each import means among the `manifests` of the stack.
pub fn find(imports: &[Import], manifests: &[Manifest], stack: &str) -> (Imports, Diags) {
    let (mut found, mut diags) = (Imports::default(), Diags::default());
    let mut blocks = Vec::new();
    for import in imports {
        let own: Vec<&Manifest> = manifests.iter().filter(|manifest| manifest.addr == *import.to).collect();
        match own.iter().find(|manifest| is_meant(manifest, &import.id)) {
            Some(manifest) if manifest.executor == Executor::Gitops => {
                found.files.insert(manifest.path.clone());
            }
            Some(manifest) => {
                found.resources.insert(manifest.path.clone(), import.id.value.clone());
                blocks.push(block(manifest, &import.id));
                diags.push(root_module(import, manifest));
            }
            None => diags.push(no_such(import, &own)),
        }
    }
    if !blocks.is_empty() {
        let hint = "# Terraform takes import blocks in its root module only: copy them there. NAME is what that calls this folder.";
        let owner = format!("stack.{stack}");
        found.text = Some(format!("{}\n{hint}\n{}", first_line(&owner, stack), hcl::write(&blocks)));
    }
    (found, diags)
}

fn is_meant(manifest: &Manifest, id: &str) -> bool {
    match manifest.executor {
        Executor::Gitops => manifest.path == id || format!("{}/{}", manifest.object.kind, manifest.object.name) == id,
        Executor::Terraform => {
            let row = ImportId::of(&manifest.object.kind).zip(cloud_name(manifest));
            row.is_some_and(|(row, name)| row.fits(id, name))
        }
    }
}

/// What a resource is called in the cloud.
fn cloud_name(manifest: &Manifest) -> Option<&str> {
    let row = ImportId::of(&manifest.object.kind)?;
    fields(&manifest.object.kind, &manifest.tree).get(row.name)?.as_str()
}

fn block(manifest: &Manifest, id: &str) -> Block {
    let to = format!("module.NAME.{}.{}", manifest.object.kind, manifest.object.name);
    Block::new("import", &[]).with("to", Expr::reference(to)).with("id", id)
}

fn root_module(import: &Import, manifest: &Manifest) -> Diag {
    Diag::note(
        "note",
        format!(
            "Terraform takes {}.{} over once its import block stands in the root module: {FILE} holds it, to be copied.",
            manifest.object.kind, manifest.object.name
        ),
    )
    .addr(&import.to.value)
}

fn no_such(import: &Import, own: &[&Manifest]) -> Diag {
    let to = &import.to.value;
    let diag = Diag::error("import", format!("{:?} is nothing that {to} makes", *import.id)).addr(to);
    let forms = own.iter().filter_map(|manifest| match manifest.executor {
        Executor::Gitops => Some(format!("{}/{} or {}", manifest.object.kind, manifest.object.name, manifest.path)),
        Executor::Terraform => Some(ImportId::of(&manifest.object.kind)?.wanted(cloud_name(manifest)?)),
    });
    let forms: Vec<String> = forms.take(8).collect();
    if forms.is_empty() {
        let why = if own.is_empty() {
            "It makes no object of its own."
        } else {
            "Grants need no import: granting again changes nothing."
        };
        return diag.at(import.to.span, "makes nothing that could be imported").detail(why);
    }
    let diag = diag.at(import.id.span, "no such object").help(format!("Write one of: {}.", forms.join(", ")));
    if own.iter().any(|manifest| manifest.executor == Executor::Terraform) { diag.source(IMPORT_SOURCE) } else { diag }
}
