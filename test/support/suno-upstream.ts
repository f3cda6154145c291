/**
 * A scripted server that speaks the protocol of Suno-API, with everything that goes wrong with it.
 */
import type { ServerResponse } from 'node:http';
import { type Answer, type ReceivedRequest, startUpstream } from './upstream.ts';

/**
 * How a submit ends. `unreadable` and `hang` accept the song: the reply is no JSON, or never comes.
 * `cut`: the connection breaks after the song was accepted.
 */
export type SubmitScript =
  | 'ok'
  | 'refuse'
  | 'denied'
  | 'busy'
  | 'broken'
  | 'html'
  | 'unreadable'
  | 'hang'
  | 'cut';
/** What becomes of a song: `vanish`: the upstream forgets it; `stuck`: it never ends. */
export type SongFate = 'success' | 'failure' | 'vanish' | 'stuck';

export interface Song {
  readonly id: string;
  readonly action: string;
  readonly key: string;
  readonly body: Record<string, unknown>;
  fate: SongFate;
  /** Polls until it ends. */
  polls: number;
  /** Polls that asked for it. */
  asked: number;
}

export interface SunoUpstream {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  readonly songs: Map<string, Song>;
  /** Decides on submits; absent: all are accepted. */
  onSubmit(script: (body: Record<string, unknown>) => SubmitScript): void;
  /** Decides on songs as they are accepted; absent: they succeed at the first poll. */
  onSong(
    fate: (body: Record<string, unknown>) => { readonly fate: SongFate; readonly polls: number },
  ): void;
  /** The status of polls; 200: they are answered. */
  pollStatus: number;
  /** Added to reasons of failure. */
  hint: string;
  /** Awaited before a submit is answered. */
  before: () => Promise<void>;
  /** Reports each song this many times in one reply. */
  repeats: number;
  close(): Promise<void>;
}

export async function startSunoUpstream(prefix = 'song'): Promise<SunoUpstream> {
  const upstream = await startUpstream();
  const songs = new Map<string, Song>();
  let submitScript: (body: Record<string, unknown>) => SubmitScript = () => 'ok';
  let fateOf: (body: Record<string, unknown>) => {
    readonly fate: SongFate;
    readonly polls: number;
  } = () => ({
    fate: 'success',
    polls: 1,
  });

  const accept = (request: ReceivedRequest): Song => {
    const song = {
      id: `${prefix}-${songs.size + 1}`,
      action: request.path.split('/').at(-1) ?? '',
      key: (request.headers.authorization ?? '').replace('Bearer ', ''),
      body: request.json,
      asked: 0,
      ...fateOf(request.json),
    };
    songs.set(song.id, song);
    return song;
  };

  const submit: Answer = async (response, request) => {
    await result.before();
    switch (submitScript(request.json)) {
      case 'ok':
        return send(response, 200, {
          code: 'success',
          message: '',
          data: accept(request).id,
          extra: 'kept',
        });
      case 'refuse':
        return send(response, 200, {
          code: 'not_enough_credits',
          message: 'the account has no credits',
          data: null,
        });
      case 'denied':
        return send(response, 401, { error: { message: 'invalid key' } });
      case 'busy':
        return send(response, 429, { message: 'slow down' });
      case 'broken':
        return send(response, 500, { message: 'internal error' });
      case 'html':
        response.writeHead(502, { 'content-type': 'text/html' });
        return void response.end('<html>Bad Gateway</html>');
      case 'unreadable':
        accept(request);
        response.writeHead(200, { 'content-type': 'application/json' });
        return void response.end('{"code":"succ');
      case 'hang':
        return void accept(request);
      case 'cut':
        accept(request);
        return void response.destroy();
    }
  };

  const report = (song: Song): Record<string, unknown> => {
    song.asked += 1;
    const ended = song.asked >= song.polls && song.fate !== 'stuck';
    const status = !ended ? 'IN_PROGRESS' : song.fate === 'failure' ? 'FAILURE' : 'SUCCESS';
    return {
      task_id: song.id,
      action: song.action,
      status,
      fail_reason: status === 'FAILURE' ? `copyrighted lyrics${result.hint}` : '',
      progress: ended ? '100%' : '45%',
      submit_time: 1,
      start_time: 2,
      finish_time: ended ? 3 : 0,
      data:
        status === 'SUCCESS'
          ? [{ id: `clip-${song.id}`, audio_url: 'https://cdn.example/a.mp3', title: 'Song' }]
          : null,
    };
  };

  const result: SunoUpstream = {
    url: upstream.url,
    requests: upstream.requests,
    songs,
    onSubmit: (script) => {
      submitScript = script;
    },
    onSong: (fate) => {
      fateOf = fate;
    },
    pollStatus: 200,
    repeats: 1,
    hint: '',
    before: async () => {},
    close: upstream.close,
  };

  const poll: Answer = (response, request) => {
    if (result.pollStatus !== 200)
      return send(response, result.pollStatus, { message: `status ${result.pollStatus}` });
    const ids = request.json['ids'] as readonly string[];
    const listed = ids.flatMap((id) => songs.get(id) ?? []).filter(({ fate }) => fate !== 'vanish');
    const data = listed.map(report);
    send(response, 200, {
      code: 'success',
      message: '',
      data: Array.from({ length: result.repeats }, () => data).flat(),
    });
  };

  upstream.answer((response, request) =>
    (request.path === '/suno/fetch' ? poll : submit)(response, request),
  );
  return result;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
