import { getOrCreate } from "../../src/runtime/cache.ts";

/**
 * Part of V8's profile format that is used here.
 * @see https://chromedevtools.github.io/devtools-protocol/tot/Profiler/
 */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  /** Node id of each sample. `timeDeltas` contains the microseconds since the previous sample. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A function that another function called, with its own calls. */
export interface Call {
  readonly name: string;
  /** Owner of the code: "src/theme", "packages/search", "node", "v8", or the name of a package. */
  readonly owner: string;
  /** Microseconds, including calls and without calls. */
  total: number;
  self: number;
  readonly calls: Map<string, Call>;
}

/**
 * Merges the stacks of all samples, starting at the event loop, without idle and profiler time.
 * @param root folder of the source
 */
export function callTree({ nodes, samples, timeDeltas }: CpuProfile, root: string): Call {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const selfTime = new Map<number, number>();
  for (const [index, id] of samples.entries()) selfTime.set(id, (selfTime.get(id) ?? 0) + (timeDeltas[index] ?? 0));
  const rootCall: Call = { name: "all", owner: "v8", total: 0, self: 0, calls: new Map() };
  const addNode = (id: number, caller: Call): number => {
    const node = byId.get(id);
    // The profiler is not part of the server.
    const isProfiler = node?.callFrame.url.endsWith("/watch-server.ts");
    if (node === undefined || isProfiler || node.callFrame.functionName === "(idle)") return 0;
    const call = callOf(node.callFrame, caller, root);
    const self = selfTime.get(id) ?? 0;
    const total = (node.children ?? []).reduce((sum, child) => sum + addNode(child, call), self);
    call.self += self;
    // The time of a recursive call is part of the time of its caller, which is the same function.
    if (call !== caller) call.total += total;
    return total;
  };
  const rootNode = nodes[0];
  rootCall.total = (rootNode?.children ?? []).reduce((sum, child) => sum + addNode(child, rootCall), 0);
  return rootCall;
}

function callOf({ functionName, url }: CpuProfile["nodes"][number]["callFrame"], caller: Call, root: string): Call {
  const file = url.startsWith(root) ? url.slice(root.length) : url;
  const name = `${functionName || "(anonymous)"}${url === "" ? "" : ` ${shortFile(file)}`}`;
  if (caller.name === name) return caller;
  return getOrCreate(caller.calls, name, () => ({ name, owner: ownerOf(file), total: 0, self: 0, calls: new Map() }));
}

function shortFile(file: string): string {
  const [, inPackage] = /.*\/node_modules\/(.*)$/.exec(file) ?? [];
  return inPackage ?? file.replace(/^src\//, "");
}

function ownerOf(file: string): string {
  if (file === "") return "v8";
  if (file.startsWith("node:")) return "node";
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  return name ?? file.split("/").slice(0, 2).join("/");
}
