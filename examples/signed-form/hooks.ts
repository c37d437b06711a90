import { defineHooks } from "vitrine";
import { signedForm } from "./signed-form.ts";

const { PAY_ADDRESS = "https://pay.example/start", PAY_MERCHANT = "", PAY_KEY = "" } = process.env;
if (PAY_KEY === "") throw new Error("set PAY_KEY to the key that you share with the payment provider");

export default defineHooks({
  payment: signedForm({ address: PAY_ADDRESS, merchant: PAY_MERCHANT, key: PAY_KEY }),
});
