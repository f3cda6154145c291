import { type Answer, sendJson } from './upstream.ts';

const usageMetadata = {
  promptTokenCount: 100,
  cachedContentTokenCount: 40,
  candidatesTokenCount: 20,
  thoughtsTokenCount: 5,
  totalTokenCount: 125,
};

/** A reply of Gemini's generateContent, plain or as SSE depending on the path. */
export function generateReply(text = 'Hello from Gemini'): Answer {
  return (response, request) => {
    const candidate = (part: string, finishReason?: string) => ({
      candidates: [
        {
          content: { role: 'model', parts: [{ text: part }] },
          index: 0,
          ...(finishReason === undefined ? {} : { finishReason }),
        },
      ],
      modelVersion: 'gemini',
    });
    if (!request.path.includes(':streamGenerateContent'))
      return sendJson(response, 200, { ...candidate(text, 'STOP'), usageMetadata });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const words = text.split(/(?<= )/);
    for (const [index, word] of words.entries()) {
      const last = index === words.length - 1;
      response.write(
        `data: ${JSON.stringify({ ...candidate(word, last ? 'STOP' : undefined), usageMetadata })}\r\n\r\n`,
      );
    }
    response.end();
  };
}
