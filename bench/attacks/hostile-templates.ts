// Two clients request sections of a theme that would render forever, one section after another. Measures how long each
// section blocks the event loop.
//   node bench/attacks/hostile-templates.ts
import { hostileSnippets, hostileTemplates } from "../../src/theme/liquid/hostile-templates.fixture.ts";
import { percentile } from "../store.ts";
import { runAttack } from "./attack.ts";

/** Milliseconds for which each section is requested. */
const SECTION_MS = 1_500;
const CLIENTS = 2;

const templates = Object.entries(hostileTemplates);
const sections = templates.map(([, text], number) => [`theme/sections/hostile-${number}.liquid`, text] as const);
const snippets = Object.entries(hostileSnippets).map(([file, text]) => [`theme/${file}`, text] as const);

await runAttack({ products: "demo", files: Object.fromEntries([...sections, ...snippets]) }, async ({ origin }) => {
  const lines: string[] = [];
  for (const [number, [name]] of templates.entries()) {
    const end = performance.now() + SECTION_MS;
    const times: number[] = [];
    const requestSection = async (client: number): Promise<void> => {
      while (performance.now() < end) {
        const start = performance.now();
        const reply = await fetch(`${origin}/?section_id=hostile-${number}&again=${client}-${times.length}`);
        await reply.arrayBuffer();
        times.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => requestSection(client)));
    const timeText = [percentile(times, 0.5), Math.max(...times)].map((ms) => ms.toFixed(0)).join(", most ");
    lines.push(`${name}: ${times.length} answers, ${timeText} ms each`);
  }
  return lines;
});
