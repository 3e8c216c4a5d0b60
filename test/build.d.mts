// Types of build.mjs for the one TypeScript file that imports it.

/** Builds dist/; see build.mjs. */
export function buildAll(options: { readonly types: boolean }): Promise<void>
