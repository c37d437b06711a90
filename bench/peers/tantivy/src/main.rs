//! Runs tantivy for the benchmarks: `tantivy-peer name documents queries answers language folder`.
//! `run-engine.ts` describes input and output.

mod engine;

use engine::Engine;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [name, documents, queries, answers, language, folder] = arguments.as_slice() else {
        return Err("expected name, documents, queries, answers, language, folder".into());
    };
    let start = Instant::now();
    let mut engine = Engine::open(name, Path::new(documents), language, Path::new(folder))?;
    let seconds = start.elapsed().as_secs_f64();
    let ready_at = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    let (built_bytes, peak_bytes) = (memory("VmRSS:"), memory("VmHWM:"));
    let mut lines = String::new();
    for line in fs::read_to_string(queries)?.lines() {
        let mut cells = line.splitn(3, '\t');
        let task = cells.next().unwrap_or_default();
        let limit = cells.next().unwrap_or_default().parse()?;
        let text = cells.next().unwrap_or_default();
        let before = Instant::now();
        let hits = engine.search(text, task != "exact", limit, task == "whole")?;
        write!(lines, "{}\t", before.elapsed().as_nanos())?;
        let numbers: Vec<String> = hits.iter().map(u64::to_string).collect();
        writeln!(lines, "{}", numbers.join(","))?;
    }
    let figures = format!("{seconds}\t{built_bytes}\t{peak_bytes}\t0\t{}\t{ready_at}\n", memory("VmRSS:"));
    fs::write(answers, figures + &lines)?;
    Ok(())
}

/// A line of what Linux knows of this process, in bytes; 0 elsewhere.
fn memory(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    digits.parse::<u64>().unwrap_or(0) * 1024
}
