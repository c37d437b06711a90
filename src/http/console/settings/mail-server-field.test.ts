import assert from "node:assert/strict";
import { test } from "node:test";
import type { Config } from "../../../config/settings.ts";
import { mailServerField } from "./mail-server-field.ts";

/** Returns the URL that a form with a new password saves. */
function changePassword(smtp: string, host: string, port: string): unknown {
  const form = { smtp_host: host, smtp_port: port, smtp_user: "u", smtp_password: "new" };
  const saved = { settings: { mail: { smtp } }, revision: "", readOnlyReason: undefined, computed: [] };
  return mailServerField.read(form, saved, {} as Config, "en")[0]?.[1];
}

test("a new password keeps the protocol of the same server", () => {
  for (const server of ["smtps://u@mail.example:2465", "smtps://u@mail.example", "smtp://u@mail.example:465"]) {
    const url = new URL(server);
    const newUrl = changePassword(server, url.hostname, url.port || "465");
    assert.equal(newUrl, server.replace("u@", "u:new@"));
  }
  assert.equal(changePassword("smtps://u@mail.example:2465", "mail.example", "587"), "smtp://u:new@mail.example:587");
});

test("the host may be an IPv6 address", () => {
  assert.equal(changePassword("smtp://u@[::1]:25", "[::1]", "25"), "smtp://u:new@[::1]:25");
});
