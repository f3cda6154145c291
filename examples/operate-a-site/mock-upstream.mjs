// A provider for trying things out: speaks the OpenAI API on a free port of this machine and prints
// its address.
import { createServer } from 'node:http';

const models = ['demo-chat', 'demo-mini'];
const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const send = (status, value) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (request.headers.authorization !== 'Bearer sk-upstream')
      return send(401, { error: { message: 'wrong key' } });
    if (request.url === '/v1/models')
      return send(200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
    if (request.url !== '/v1/chat/completions')
      return send(404, { error: { message: 'not found' } });
    const { model } = JSON.parse(body);
    const message = { role: 'assistant', content: 'Hello from the mock upstream.' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return send(200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model,
      choices,
      usage,
    });
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
