import { api } from '../core/contract/index.ts';
import type { z } from '../core/kernel/zod.ts';

/** Names of what several commands print, for docs. */
export const namedShapes = {
  User: api.user.get.output,
  Channel: api.channel.get.output,
  ChannelKey: api.channelKeys.list.output.shape.keys.element.extend({
    test: api.channelKeys.test.output.optional(),
  }),
  Token: api.userTokens.get.output,
  RedemptionCode: api.redemption.get.output,
  Budget: api.budgets.get.output,
  TopUp: api.topUp.complete.output,
  LogRow: api.log.list.output.shape.items.element,
  Posting: api.ledger.list.output.shape.items.element,
  AuditEntry: api.audit.list.output.shape.items.element,
  Drawing: api.drawing.list.output.element,
  Task: api.task.list.output.element,
  Model: api.modelSquare.manage.output.element,
  StoredFile: api.files.list.output.shape.items.element,
  Job: api.jobs.list.output.element,
  Node: api.nodes.list.output.element,
  ChannelType: api.channelTypes.list.output.element,
  Margins: api.data.margins.output,
  Loss: api.losses.list.output.element,
  PricePreview: api.priceSync.preview.output,
  Usage: api.data.usage.output,
  Route: api.routes.explain.output,
  Verification: api.ledger.verify.output,
  Statement: api.statement.get.output,
  Bulk: api.bulk.channels.output,
} as const satisfies Record<string, z.ZodType>;
