import { defineHooks } from "vitrine";
import { backOffice } from "./back-office.ts";

const address = process.env.BACK_OFFICE_URL;
if (address === undefined) throw new Error("Set BACK_OFFICE_URL, for example to http://127.0.0.1:8080.");

export default defineHooks(backOffice(address));
