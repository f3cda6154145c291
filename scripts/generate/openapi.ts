import packageJson from '../../package.json' with { type: 'json' };
import { openApiDocument } from '../../src/core/contract/openapi.ts';

export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(packageJson.version), null, 2)}\n`;
}
