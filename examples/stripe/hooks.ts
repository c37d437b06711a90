import Stripe from "stripe";
import { defineHooks } from "vitrine";
import { stripePayment } from "./stripe-payment.ts";

const { STRIPE_SECRET_KEY = "", STRIPE_WEBHOOK_SECRET = "" } = process.env;
if (STRIPE_SECRET_KEY === "" || STRIPE_WEBHOOK_SECRET === "")
  throw new Error("set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, as Stripe's dashboard shows them");

const stripe = new Stripe(STRIPE_SECRET_KEY, { maxNetworkRetries: 0 });

export default defineHooks({ payment: stripePayment(stripe, STRIPE_WEBHOOK_SECRET) });
