import type { Route } from "../route.ts";
import { createJsonReply } from "../wire/reply.ts";
import { showAgentGuide } from "./agent-guide.ts";
import type { QuoteServices } from "./quotes.ts";
import { describeBusiness, MCP_PATH } from "./ucp.ts";
import { handleMcp } from "./ucp-mcp.ts";
import { createUcpMethods } from "./ucp-rest.ts";

/** Returns the routes for shopping agents; none if the settings turn them off. */
export function listAgentRoutes(shop: QuoteServices & Parameters<typeof showAgentGuide>[0]): readonly Route[] {
  if (!shop.config.agents) return [];
  const createRoute = (path: string, methods: Route["methods"]): Route => ({
    path,
    format: "json",
    methods,
    isUnprefixed: true,
    // Agents must not delay the writes of shoppers, although their searches are POST requests.
    lane: "background",
    writeQueue: "background",
  });
  const guideFiles = ["agents.md", "llms.txt", "llms-full.txt"];
  return [
    createRoute("/.well-known/ucp", {
      GET: ({ origin }) => createJsonReply(200, describeBusiness(origin), { "cache-control": "public, max-age=300" }),
    }),
    createRoute(MCP_PATH, { POST: (request) => handleMcp(shop, request) }),
    ...createUcpMethods(shop).map(([path, methods]) => createRoute(path, methods)),
    ...guideFiles.map((file) => createRoute(`/${file}`, { GET: (request) => showAgentGuide(shop, request, file) })),
  ];
}
