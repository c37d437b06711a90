import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { workFolder } from "../catalogs.ts";

/** A peer that `install.ts` builds in its folder of `bench/peers/`. */
interface Peer {
  readonly title: string;
  /** Command that installs the peer, run in its folder. */
  readonly install: readonly string[];
  /** Path of a file that exists after the installation. */
  readonly installedFile: string;
  /** Returns the reason why the toolchain is missing, or undefined. */
  explainMissingTool(): string | undefined;
}

/** Minimum JDK of Lucene 10. */
const minJdk = 21;
/** Folder of packages from registries. It is outside the checkout, so that its files are not checked. */
const packageFolder = join(workFolder(), "peers");

export const peers = {
  lucene: {
    title: "Lucene 10",
    install: ["mvn", "-q", "-B", "package"],
    installedFile: join(import.meta.dirname, "lucene/target/lucene-peer-1.jar"),
    explainMissingTool: () =>
      findJdk() === undefined ? `no JDK of ${minJdk} or later: set JAVA_HOME` : explainMissingCommand("mvn"),
  },
  tantivy: {
    title: "tantivy 0.27",
    install: ["cargo", "build", "--release", "--locked"],
    installedFile: join(import.meta.dirname, "tantivy/target/release/tantivy-peer"),
    explainMissingTool: () => explainMissingCommand("cargo"),
  },
  orama: {
    title: "Orama 3",
    install: ["npm", "install", "--prefix", packageFolder, "--no-audit", "--no-fund", "@orama/orama@3.1.18"],
    installedFile: join(packageFolder, "node_modules/@orama/orama/dist/esm/index.js"),
    explainMissingTool: () => explainMissingCommand("npm"),
  },
  seekstorm: {
    title: "SeekStorm 4.0",
    // Its repository also compiles for this processor. Without the default features, it reads no PDF files, embeds no
    // vectors, and does not split Chinese words.
    install: [
      ...["cargo", "install", "seekstorm_server@4.0.1", "--no-default-features", "--root", packageFolder],
      ...["--config", 'build.rustflags=["-C", "target-cpu=native"]'],
    ],
    installedFile: join(packageFolder, "bin/seekstorm_server"),
    explainMissingTool: () => explainMissingCommand("cargo"),
  },
} as const satisfies Readonly<Record<string, Peer>>;
export type PeerName = keyof typeof peers;

/** Returns the path of a file of a peer. */
export function peerFile(name: PeerName, file: string): string {
  return join(import.meta.dirname, name, file);
}

/** Returns the reason why a peer cannot run, or undefined if it can. */
export function explainMissingPeer(name: PeerName): string | undefined {
  if (existsSync(peers[name].installedFile)) return peers[name].explainMissingTool();
  return "not installed: run node bench/peers/install.ts";
}

let cachedJdk: string | undefined;

/** Returns the folder of a JDK that runs Lucene 10, or undefined. */
export function findJdk(): string | undefined {
  const candidates = [process.env.JAVA_HOME ?? [], globSync("/usr/lib/jvm/*")].flat();
  cachedJdk ??= candidates.find((folder) => {
    const { stderr } = spawnSync(join(folder, "bin/java"), ["-version"], { encoding: "utf8" });
    return Number(/version "(\d+)/.exec(stderr ?? "")?.[1] ?? 0) >= minJdk;
  });
  return cachedJdk;
}

/** Returns the command of a Java program of the Lucene peer.  @param flags additional flags of the JVM */
export function luceneCommand(mainClass: string, flags: readonly string[] = []): readonly string[] {
  const classPath = [peers.lucene.installedFile, peerFile("lucene", "target/jars/*")].join(":");
  // Lucene's start message recommends the vector module. One thread searches, so the serial collector is the fastest.
  const jvmFlags = ["--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"];
  return [join(findJdk() ?? "", "bin/java"), ...jvmFlags, ...flags, "-Xmx1g", "-cp", classPath, mainClass];
}

function explainMissingCommand(command: string): string | undefined {
  return spawnSync(command, ["--version"]).status === 0 ? undefined : `no ${command} here`;
}
