//! A plan as JSON, as `schemas/plan.schema.json` describes: the steps with their reasons, and what was to say about it.

use serde_json::Value;

use crate::base::diag::Diags;
use crate::base::span::SourceMap;
use crate::plan::Plan;
use crate::view::json;

/// A whole plan, ending in a newline.
pub fn plan(plan: &Plan, diags: &Diags, map: &SourceMap) -> String {
    document(plan, json::list(diags, map))
}

/// The same, with the diagnostics as JSON already.
pub fn document(plan: &Plan, diagnostics: Value) -> String {
    json::text(&report(plan, diagnostics))
}

/// A whole plan as a tree.
fn report(plan: &Plan, diagnostics: Value) -> Value {
    // Serialising fails only for maps whose keys are no text, and a plan has none.
    let mut tree = serde_json::to_value(plan).unwrap_or_default();
    tree["diagnostics"] = diagnostics;
    tree
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::diag::Diag;
    use crate::view::plan_sample;

    fn validator() -> jsonschema::Validator {
        // The schema of diagnostics is one file, and ours refers to it by name.
        let mut schema: Value = serde_json::from_str(include_str!("../../schemas/plan.schema.json")).unwrap();
        let others: Value = serde_json::from_str(include_str!("../../schemas/diagnostics.schema.json")).unwrap();
        assert_eq!(schema["properties"]["diagnostics"]["items"]["$ref"], "diagnostics.schema.json#/$defs/diagnostic");
        schema["properties"]["diagnostics"]["items"]["$ref"] = "#/$defs/diagnostic".into();
        for (name, part) in others["$defs"].as_object().unwrap() {
            assert!(schema["$defs"].get(name).is_none(), "two definitions of {name}");
            schema["$defs"][name] = part.clone();
        }
        jsonschema::draft202012::new(&schema).unwrap()
    }

    fn faults(tree: &Value) -> Vec<String> {
        validator().iter_errors(tree).map(|error| format!("{}: {error}", error.instance_path())).collect()
    }

    #[test]
    fn every_plan_is_what_the_schema_says() {
        let diags = Diags::from(Diag::warning("io", "Look here"));
        for sample in plan_sample::all() {
            let text = plan(&sample, &diags, &SourceMap::default());
            let tree: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(faults(&tree), Vec::<String>::new());
        }
    }

    #[test]
    fn the_schema_is_closed_and_has_every_word() {
        let tree = report(&plan_sample::mixed(), Value::Array(Vec::new()));
        let broken = |pointer: &str, value: Value| {
            let mut tree = tree.clone();
            *tree.pointer_mut(pointer).unwrap() = value;
            faults(&tree)
        };
        assert_eq!(broken("/steps/0/action", "explode".into()).len(), 1);
        assert_eq!(broken("/format_version", "2.0".into()).len(), 1);
        assert_eq!(broken("/steps/0/because", serde_json::json!({"reason": "changed"})).len(), 1);
        assert_eq!(broken("/base_digest", "".into()).len(), 1);
        let mut more = tree.clone();
        more["steps"][0]["surprise"] = 1.into();
        assert_eq!(faults(&more).len(), 1);
    }

    #[test]
    fn a_plan_reads_back_as_it_was_written() {
        for sample in plan_sample::all() {
            let text = serde_json::to_string(&sample).unwrap();
            assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), sample);
        }
    }
}
