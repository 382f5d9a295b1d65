//! vLLM, however it is served.

pub mod serve_llm;
