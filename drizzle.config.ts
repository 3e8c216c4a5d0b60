// drizzle-kit only generates; the SQL is completed by hand and applied by src/store/migrate.ts (its head says why).
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './src/store/schema.ts',
  out: './migrations',
})
