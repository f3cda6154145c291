import { chatWire } from './chat-wire.ts';
import { geminiWire } from './gemini-wire.ts';
import { messagesWire } from './messages-wire.ts';
import { responsesWire } from './responses-wire.ts';
import type { Wire, WireName } from './wire.ts';

export const wires: Readonly<Record<WireName, Wire>> = {
  messages: messagesWire,
  chat: chatWire,
  gemini: geminiWire,
  responses: responsesWire,
};
