/**
 * Module `node:http`. An `import` statement evaluates all its exports, also the getters of `WebSocket` and `EventSource`,
 * which load undici: 20 ms of processor time and 3 MB per thread.
 */
export const http = process.getBuiltinModule("node:http");
