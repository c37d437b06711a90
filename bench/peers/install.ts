// Installs the peers of the benchmarks in the folders next to this file. Peers without their toolchain are reported and
// left out.
//   node bench/peers/install.ts [lucene] [tantivy] [orama] [seekstorm]
import { spawnSync } from "node:child_process";
import { findJdk, type PeerName, peerFile, peers } from "./peers.ts";

const names = process.argv.slice(2);
const unknownNames = names.filter((name) => !Object.hasOwn(peers, name));
if (unknownNames.length > 0) throw new Error(`no peer ${unknownNames}: ${Object.keys(peers).join(", ")}`);

for (const [name, { title, install, explainMissingTool }] of Object.entries(peers)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const missingReason = explainMissingTool();
  if (missingReason !== undefined) {
    process.stdout.write(`${title} is left out: ${missingReason}\n`);
    continue;
  }
  const [command, ...args] = install;
  process.stdout.write(`${title}: ${install.join(" ")}\n`);
  const cwd = peerFile(name as PeerName, ".");
  const { status } = spawnSync(command, args, {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...(name === "lucene" ? { JAVA_HOME: findJdk() } : {}) },
  });
  if (status !== 0) throw new Error(`${install.join(" ")} failed in ${cwd}`);
}
