// Entry point `vitrine/client` of the package.
export * from "@vitrine/client";
