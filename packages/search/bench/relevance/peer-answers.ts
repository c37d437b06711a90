import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workFolder } from "../../../../bench/catalogs.ts";
import { type Answer, type EngineName, type EngineTask, engineFiles, runEngine } from "../run-engine.ts";

/**
 * Returns the results of an engine. The results of other engines than Vitrine never change, so they are cached in
 * files. The cache key is a hash of the engine's files and versions, the documents and the queries.
 */
export function answersOf(name: EngineName, task: EngineTask): readonly Answer[] {
  if (name === "vitrine") return runEngine(name, task).answers;
  const hash = createHash("sha256").update(name).update(task.locale).update(JSON.stringify(task.engineQueries));
  for (const file of [...engineFiles(name), task.documents]) hash.update(readFileSync(file));
  const file = join(workFolder(), `answers-${hash.digest("hex").slice(0, 32)}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as readonly Answer[];
  const { answers } = runEngine(name, task);
  writeFileSync(`${file}.${process.pid}.part`, JSON.stringify(answers));
  renameSync(`${file}.${process.pid}.part`, file);
  return answers;
}
