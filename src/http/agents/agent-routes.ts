import type { Route } from "../route.ts";
import { createJsonReply } from "../wire/reply.ts";
import { agentGuide } from "./agent-guide.ts";
import type { QuotingShop } from "./quotes.ts";
import { businessProfile, MCP_PATH } from "./ucp.ts";
import { handleMcp } from "./ucp-mcp.ts";
import { ucpRestMethods } from "./ucp-rest.ts";

/** Returns the routes for shopping agents; none if the settings turn them off. */
export function agentRoutes(shop: QuotingShop & Parameters<typeof agentGuide>[0]): readonly Route[] {
  if (!shop.config.agents) return [];
  const createRoute = (path: string, methods: Route["methods"]): Route => ({
    path,
    format: "json",
    methods,
    isUnprefixed: true,
    // Agents must not delay the writes of shoppers, although their searches are POST requests.
    lane: "background",
    writeLane: "background",
  });
  const guides = ["agents.md", "llms.txt", "llms-full.txt"];
  return [
    createRoute("/.well-known/ucp", {
      GET: ({ origin }) => createJsonReply(200, businessProfile(origin), { "cache-control": "public, max-age=300" }),
    }),
    createRoute(MCP_PATH, { POST: (request) => handleMcp(shop, request) }),
    ...ucpRestMethods(shop).map(([path, methods]) => createRoute(path, methods)),
    ...guides.map((file) => createRoute(`/${file}`, { GET: (request) => agentGuide(shop, request, file) })),
  ];
}
