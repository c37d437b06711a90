import type { IncomingMessage, ServerResponse } from "node:http";
import type { Config } from "../../config/settings.ts";
import { memoizePerObject } from "../../runtime/cache.ts";
import { listenAt } from "../../runtime/listen.ts";
import { http } from "../../runtime/node-http.ts";
import { createJobSlots } from "../../runtime/slots.ts";
import type { Shop } from "../../shop.ts";
import type { Themes } from "../../theme/themes.ts";
import { createCartStreams } from "../cart/cart-streams.ts";
import { createErrorBody, respondToError } from "../error-responses.ts";
import type { ResizedImages } from "../images/resized-images.ts";
import { createPipeline } from "../pipeline.ts";
import { servePage } from "../routes/pages/page.ts";
import { createRoutes } from "../routes.ts";
import { createThemePipeline } from "../theme-previews.ts";
import { findAddressBlock } from "./address-block.ts";
import { getConnectionLimit } from "./connection-limit.ts";
import { createConnections, type OpenConnections } from "./connections.ts";
import { createReplyEncoder } from "./encoding.ts";
import { createEventStreams, type EventBody } from "./event-streams.ts";
import { checkMessage, createHostParser, MAX_HEADERS } from "./message.ts";
import { observeRequest } from "./observed-request.ts";
import { handleParserErrors } from "./parser-errors.ts";
import { createClientFinder } from "./proxy.ts";
import { ClientDisconnectedError, readBody } from "./read-body.ts";
import { createJsonReply, type Reply } from "./reply.ts";
import type { IncomingRequest } from "./request.ts";
import { createSecurityHeaders } from "./security-headers.ts";
import { createHostCacheGuard, sendReply } from "./send-reply.ts";
import { createCorsPolicy } from "./shared-origins.ts";
import { limitUnreadResponses } from "./unread-responses.ts";

export interface HttpServer {
  /**
   * Starts listening for connections.
   * @param port port number; 0 selects a free port
   * @param isPortShared whether other threads listen on the same port
   * @returns the server's URL, for example "http://127.0.0.1:3000"
   */
  listen(host: string, port: number, isPortShared?: boolean): Promise<string>;
  /** Stops accepting connections, completes running requests, and closes the server within five seconds. */
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Folder of the store. Files in its folder `media/` are public. */
  readonly storeDir: string;
  /** The store's themes. Each visitor's theme replaces `shop.theme`, and its settings replace `shop.config`. */
  readonly themes: Themes;
  readonly resizedImages: ResizedImages;
  readonly connections: OpenConnections;
  /**
   * Called when the server ignores X-Forwarded headers because it does not trust their sender. `proxy` is the sender's
   * IP address if it is private, otherwise undefined.
   */
  readonly onIgnoredProxy?: (proxy: string | undefined) => void;
  /** Handles requests of development tools, such as live reload.  @returns whether the request was handled */
  readonly devHandler?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
}

export function createServer(
  shop: Shop,
  { storeDir, themes, resizedImages, connections: openConnections, onIgnoredProxy, devHandler }: ServerOptions,
): HttpServer {
  let isDraining = false;
  const threads = openConnections.counts.length;
  const cartStreams = createCartStreams(shop, threads);
  const routeOptions = { storeDir, resizedImages, cartStreams, isDraining: () => isDraining, threads };
  const handle = createThemePipeline(shop, themes, (themeShop) =>
    createPipeline(themeShop, createRoutes(themeShop, routeOptions), (request) => servePage(themeShop, request)),
  );
  const readClient = createClientFinder(shop.config.trustProxy, onIgnoredProxy);
  /** Parts of responses that depend on settings, which may change while the server runs. */
  const getReplySettings = memoizePerObject((config: Config) => ({
    configuredOrigin: config.origin === undefined ? undefined : URL.parse(config.origin)?.origin,
    security: createSecurityHeaders({ config, hooks: shop.hooks }),
    hostCacheGuard: config.origin === undefined ? createHostCacheGuard() : undefined,
  }));
  const onSent = limitUnreadResponses();
  const encodeReply = createReplyEncoder();
  const addCorsHeaders = createCorsPolicy(shop.config.search.origins);
  const parseHost = createHostParser();
  const server = http.createServer(limits);
  server.timeout = SILENCE_TIMEOUT_MS;
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  const streams = createEventStreams();
  const bodySizeLimits = {
    anybody: createJobSlots({
      name: "body_bytes",
      capacity: MAX_LARGE_BODY_BYTES,
      ownerCapacity: MAX_NETWORK_BODY_BYTES,
    }),
    known: createJobSlots({
      name: "authenticated_body_bytes",
      capacity: 2 * MAX_LARGE_BODY_BYTES,
      ownerCapacity: MAX_LARGE_BODY_BYTES,
    }),
  };
  const limit = getConnectionLimit();
  const connections = createConnections(server, limit, openConnections, () =>
    shop.process.log.recurring(
      {},
      `more than ${limit} connections, so idle ones are closed: if they are customers, raise the limit of open files, such as LimitNOFILE of the service`,
    ),
  );

  const handleRequest = (request: IncomingMessage, response: ServerResponse, expectation: ExpectHeader): void => {
    const { configuredOrigin, security, hostCacheGuard } = getReplySettings(themes.getLiveTheme().config);
    const observedRequest = observeRequest(shop, request, response);
    const client = readClient(request);
    const origin = configuredOrigin ?? parseHost(client.host)?.[client.scheme] ?? `${client.scheme}://${client.host}`;
    const isSecure = origin.startsWith("https:");
    const onStream = (body: EventBody): void => {
      observedRequest?.onStream();
      connections.release(response);
      // A stream would block a later request that already waits on the same connection, so it ends immediately.
      const closesImmediately = connections.findNewestResponse(request.socket) !== response;
      streams.open(request, response, body, closesImmediately);
    };
    // Node drops requests that follow an upgrade request in the same packet. A proxy would then assign later responses
    // to the wrong requests, so the connection closes.
    const isUpgrade = request.headers.upgrade !== undefined;
    const send = (reply: Reply, isLastReply = isUpgrade): void =>
      sendReply(request, response, addCorsHeaders?.(request, reply) ?? reply, {
        security,
        isSecure,
        isLastReply: isLastReply || isDraining,
        onSent,
        onStream,
      });
    if (request.rawHeaders.length > 2 * MAX_HEADERS) {
      send(createErrorReply(431, "Send fewer headers."), true);
      return;
    }
    if (expectation === "unknown") {
      send(createErrorReply(417, "Expect nothing but 100-continue."), true);
      return;
    }
    let url: string;
    try {
      url = checkMessage(request, parseHost);
    } catch (error) {
      send(respondToError(error, "json", shop.process.log, "*"), true);
      return;
    }
    let body: Promise<Uint8Array> | undefined;
    const rawRequest: IncomingRequest = {
      method: request.method === "HEAD" ? "GET" : (request.method ?? ""),
      isHead: request.method === "HEAD",
      url,
      // Node returns an array only for `set-cookie`, which handlers do not read.
      headers: request.headers as IncomingRequest["headers"],
      origin,
      client,
      isSecure,
      receivedAt: performance.now(),
      isAborted: () => request.socket.destroyed,
      onRoute: observedRequest?.onRoute,
      readBody: (maxBytes, senderKind = "anybody") => {
        if (body === undefined && expectation === "continue") response.writeContinue();
        const getNetwork = (): string => findAddressBlock(client.address);
        body ??= readBody(
          request,
          shop.process.scheduler,
          { jobSlots: bodySizeLimits[senderKind], network: getNetwork },
          maxBytes,
        );
        return body;
      },
    };
    const handleError = (error: unknown): void => {
      if (!(error instanceof ClientDisconnectedError))
        shop.process.log.error({ error }, "a response could not be sent");
      response.destroy();
    };
    const encodeAndSend = (reply: Reply): void => {
      try {
        const cacheSafeReply = hostCacheGuard?.(reply, origin) ?? reply;
        const encodedReply = encodeReply(cacheSafeReply, request.headers["accept-encoding"]);
        if (encodedReply instanceof Promise) encodedReply.then(send).catch(handleError);
        else send(encodedReply);
      } catch (error) {
        handleError(error);
      }
    };
    try {
      const reply = handle(rawRequest);
      if (reply instanceof Promise) reply.then(encodeAndSend, handleError);
      else encodeAndSend(reply);
    } catch (error) {
      handleError(error);
    }
  };
  const start = (expectation: ExpectHeader) => (request: IncomingMessage, response: ServerResponse) => {
    // The connection belongs to an event stream and closes with it, so this request is dropped.
    if (streams.endSocketStream(request.socket)) return;
    connections.enqueue(response, () => {
      if (devHandler?.(request, response) !== true) handleRequest(request, response, expectation);
    });
  };
  server.on("request", start("")).on("checkContinue", start("continue")).on("checkExpectation", start("unknown"));
  handleParserErrors(server, connections.findNewestResponse, shop.process.metrics?.recordMalformedRequest);

  return {
    listen: (host, port, isPortShared = false) => listenAt(server, { port, host, reusePort: isPortShared }),
    close() {
      isDraining = true;
      streams.close();
      return connections.drain();
    },
  };
}

/**
 * Limits of connections, in milliseconds and bytes. The header timeout must be shorter than the request timeout, or
 * Node swaps them.
 */
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  // Load balancers close idle connections after 60 seconds. The server waits longer, so that it never closes first.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1_024,
  // The server checks the header itself, to send an error response in its own format.
  requireHostHeader: false,
} as const;

/** Time in milliseconds after which a connection without traffic is closed, for example if the client does not read. */
const SILENCE_TIMEOUT_MS = 20_000;
const MAX_REQUESTS_PER_SOCKET = 10_000;

/**
 * Maximum memory in bytes for large request bodies in a thread: for all clients together, and for one client network.
 * Requests with an API token have separate, higher limits.
 */
const MAX_LARGE_BODY_BYTES = 16 * 1_024 * 1_024;
const MAX_NETWORK_BODY_BYTES = 2 * 1_024 * 1_024;

/** Value of the request's `Expect` header. */
type ExpectHeader = "" | "continue" | "unknown";

function createErrorReply(status: number, message: string): Reply {
  return createJsonReply(status, createErrorBody(status, "bad_request", message));
}
