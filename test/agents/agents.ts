import type { Agent } from './agent.ts';
import { aiSdk } from './ai-sdk.ts';
import { claudeCode } from './claude-code.ts';
import { clients } from './clients/clients.ts';
import { codex, codexSocket } from './codex.ts';
import { geminiCli } from './gemini-cli.ts';
import { opencode } from './opencode.ts';

export const agents: readonly Agent[] = [claudeCode, codex, codexSocket, geminiCli, opencode, aiSdk, ...clients];
