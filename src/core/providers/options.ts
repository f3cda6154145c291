import { anthropicOptions } from './anthropic/options.ts';
import { geminiOptions } from './gemini/options.ts';

/** The site's options that single vendors read. The option registry holds them like any other. */
export const vendorOptions = { ...geminiOptions, ...anthropicOptions };
