import type { Generated } from 'kysely';

/**
 * Tables of responses that can be continued, of their conversations and of what works in the
 * background; part of the schema in schema.ts.
 */
export interface ResponseTables {
  stored_responses: StoredResponsesTable;
  stored_response_items: StoredResponseItemsTable;
  background_responses: BackgroundResponsesTable;
  response_events: ResponseEventsTable;
  conversations: ConversationsTable;
  conversation_items: ConversationItemsTable;
}

interface StoredResponsesTable {
  id: Generated<number>;
  user_id: number;
  response_id: string;
  previous_id: Generated<string>;
  conversation: Generated<string>;
  channel_id: Generated<number>;
  health_key: Generated<string>;
  held: Generated<number>;
  model: Generated<string>;
  status: Generated<string>;
  tokens: Generated<number>;
  input_size: Generated<number>;
  response_size: Generated<number>;
  input: Generated<string>;
  response: Generated<string>;
  created_at: Generated<number>;
  expires_at: Generated<number>;
}

interface StoredResponseItemsTable {
  user_id: number;
  item_id: string;
  response_id: string;
}

interface BackgroundResponsesTable {
  user_id: number;
  response_id: string;
  owner: string;
  status: string;
  streamed: Generated<number>;
  last_number: Generated<number>;
  events_size: Generated<number>;
  lease_until: Generated<number>;
}

interface ResponseEventsTable {
  user_id: number;
  response_id: string;
  first_number: number;
  last_number: number;
  events: string;
}

interface ConversationsTable {
  user_id: number;
  conversation_id: string;
  metadata: string;
  version: number;
  items: number;
  size: number;
  created_at: number;
  expires_at: number;
}

interface ConversationItemsTable {
  user_id: number;
  conversation_id: string;
  position: number;
  item_id: string;
  size: number;
  item: string;
}
