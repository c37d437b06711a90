// Runs Vendure with a few products on PostgreSQL, with sessions by bearer token and default plugins. Jobs of the worker
// belong to another process. This file is copied to the folder in which Vendure is installed, and runs there.
//   node server.mjs populate <database URL> <catalog.jsonl>    fills the database and exits
//   node server.mjs serve <database URL>                       prints the port when it is ready
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import {
  bootstrap,
  DefaultLogger,
  FastImporterService,
  LanguageCode,
  LogLevel,
  RequestContextService,
  TaxCategoryService,
} from "@vendure/core";
import { populateInitialData } from "@vendure/core/cli/index.js";

// Disables telemetry and log files.
process.env.VENDURE_DISABLE_TELEMETRY = "true";
const [command, database, catalogue] = process.argv.slice(2);
const app = await bootstrap({
  apiOptions: { port: 0, hostname: "127.0.0.1", adminApiPath: "admin-api", shopApiPath: "shop-api" },
  authOptions: {
    tokenMethod: "bearer",
    superadminCredentials: { identifier: "admin", password: "admin-of-a-benchmark" },
  },
  dbConnectionOptions: {
    type: "postgres",
    url: database,
    synchronize: command === "populate",
    logging: false,
  },
  orderOptions: { orderItemsLimit: 1e9, orderLineItemsLimit: 1e9 },
  logger: new DefaultLogger({ level: LogLevel.Error }),
});
if (command === "serve") process.stdout.write(`${app.getHttpServer().address().port}\n`);
else {
  await populate();
  await app.close();
  process.exit();
}

async function populate() {
  await populateInitialData(app, {
    defaultLanguage: LanguageCode.en,
    defaultZone: "Americas",
    countries: [{ code: "US", name: "United States", zone: "Americas" }],
    taxRates: [{ name: "Standard", percentage: 0 }],
    shippingMethods: [],
    paymentMethods: [],
    collections: [],
  });
  const context = await app.get(RequestContextService).create({ apiType: "admin" });
  const [taxCategory] = (await app.get(TaxCategoryService).findAll(context)).items;
  const languageCode = LanguageCode.en;
  const importer = app.get(FastImporterService);
  await importer.initialize();
  for await (const line of createInterface({ input: createReadStream(catalogue) })) {
    const { handle, title, description, variants } = JSON.parse(line);
    const productId = await importer.createProduct({
      translations: [{ languageCode, name: title, slug: handle, description }],
      enabled: true,
    });
    await importer.createProductVariant({
      productId,
      sku: handle,
      stockOnHand: 1_000_000,
      taxCategoryId: taxCategory.id,
      price: variants[0].price,
      translations: [{ languageCode, name: title }],
      enabled: true,
    });
  }
}
