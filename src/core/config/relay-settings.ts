/** Limits of requests to upstreams and of what users make the gateway fetch. */
import { flag, list, setting, whole } from './setting.ts';

export const relaySettings = {
  relayTimeout: setting({
    names: ['RELAY_TIMEOUT'],
    schema: whole(0),
    fallback: 0,
    summary: 'Seconds a relayed call may take; 0 = no limit',
  }),
  firstByteTimeout: setting({
    names: ['FIRST_BYTE_TIMEOUT'],
    schema: whole(0),
    fallback: 60,
    summary:
      'Seconds until the first byte of a stream before another channel is tried; 5 times as long for thinking models; 0 = no limit',
  }),
  retryWindow: setting({
    names: ['RETRY_WINDOW'],
    schema: whole(0),
    fallback: 120,
    summary:
      'Seconds after the start of a request in which another channel may still be tried; 0 = no limit',
  }),
  streamingTimeout: setting({
    names: ['STREAMING_TIMEOUT'],
    schema: whole(1),
    fallback: 60,
    summary:
      'Seconds without an event after which a stream is ended; 5 times as long for thinking models',
  }),
  maxRequestBodyMb: setting({
    names: ['MAX_REQUEST_BODY_MB'],
    schema: whole(1, 2048),
    fallback: 128,
    summary: 'Largest request body in MB, decompressed',
  }),
  maxBodyMemoryMb: setting({
    names: ['MAX_BODY_MEMORY_MB'],
    schema: whole(1),
    fallback: 512,
    summary: 'MB of request bodies and fetched files held at the same time, decompressed',
  }),
  maxUserBodyMemoryMb: setting({
    names: ['MAX_USER_BODY_MEMORY_MB'],
    schema: whole(1),
    fallback: 256,
    summary: 'The same for the requests of one user',
  }),
  maxReplyMb: setting({
    names: ['MAX_REPLY_MB'],
    schema: whole(4, 2048),
    fallback: 128,
    summary:
      'Largest reply of an upstream in MB, decompressed: images, speech and embeddings; half of it for conversations, a quarter for others',
  }),
  maxStreamEventMb: setting({
    names: ['MAX_STREAM_EVENT_MB'],
    schema: whole(1, 256),
    fallback: 32,
    summary: 'Largest event of an upstream stream in MB; an image comes as one event',
  }),
  maxReplyMemoryMb: setting({
    names: ['MAX_REPLY_MEMORY_MB'],
    schema: whole(1),
    fallback: 512,
    summary: 'MB of upstream replies held at the same time, decompressed',
  }),
  maxFileDownloadMb: setting({
    names: ['MAX_FILE_DOWNLOAD_MB'],
    schema: whole(1, 2048),
    fallback: 20,
    summary: 'Largest file in MB that is fetched for a caller',
  }),
  allowPrivateUpstream: setting({
    names: ['ALLOW_PRIVATE_UPSTREAM'],
    schema: flag,
    fallback: true,
    summary: 'Channels may point at private addresses',
  }),
  fetchAllowPrivate: setting({
    names: ['FETCH_ALLOW_PRIVATE'],
    schema: flag,
    fallback: false,
    summary: 'URLs from users may point at private addresses',
  }),
  fetchAllowedPorts: setting({
    names: ['FETCH_ALLOWED_PORTS'],
    schema: list,
    fallback: [],
    summary: 'Ports that URLs from users may use; empty = 80, 443, 8080 and 8443',
  }),
  fetchAllowHosts: setting({
    names: ['FETCH_ALLOW_HOSTS'],
    schema: list,
    fallback: [],
    summary: 'Hosts that URLs from users may always use',
  }),
} as const;
