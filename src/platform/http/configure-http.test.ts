import { Body, Controller, Get, Module, Post, Put, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { type Application, type Request } from 'express';
import { createZodDto, ZodResponse } from 'nestjs-zod';
import { connect } from 'node:net';
import request from 'supertest';
import { z } from 'zod';
import { configureHttp } from './configure-http';
import { ExpressServer } from './express-server';
import { guardBody } from './request-body';
import { assignRequestId } from './request-id';

class AnswerDto extends createZodDto(z.object({ n: z.number() })) {}
class Undeclared {
  n = 1;
}

@Controller()
class ProbeController {
  @Put('stream')
  async count(@Req() incoming: Request) {
    let sizeBytes = 0;
    for await (const chunk of incoming) sizeBytes += (chunk as Buffer).length;
    return { sizeBytes };
  }

  @Post('undeclared')
  undeclared(@Body() body: Undeclared) {
    return body;
  }

  @Get('broken-answer')
  @ZodResponse({ status: 200, type: AnswerDto })
  brokenAnswer() {
    return { n: 'text' } as unknown as { n: number };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

const http = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: 'https://stallscope.test',
  trustProxyHops: 0,
  corsOrigins: [],
  requestBodyBytes: 1024,
};
let app: NestExpressApplication;

beforeAll(async () => {
  app = await NestFactory.create<NestExpressApplication>(ProbeModule, new ExpressServer(), {
    bodyParser: false,
    logger: false,
  });
  configureHttp(app, http, { observers: [], streamedPaths: ['/stream'] });
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

const server = () => request(app.getHttpServer());

describe('configureHttp', () => {
  it('leaves streamed paths their body, whatever its type and size', async () => {
    const big = JSON.stringify({ text: 'x'.repeat(100_000) });
    for (const type of ['application/json', 'application/octet-stream']) {
      // Every spelling that the router takes for this path.
      for (const path of ['/stream', '/stream/', '/STREAM', '/Stream/']) {
        const response = await server().put(path).set('Content-Type', type).send(big).expect(200);
        expect(response.body).toEqual({ sizeBytes: big.length });
      }
    }
  });

  it('fails a handler whose body has no schema, rather than trust it', async () => {
    expect((await server().post('/undeclared').send({ n: 1 })).body).toMatchObject({
      code: 'internal-error',
    });
  });

  it('does not send an answer that breaks its schema', async () => {
    expect((await server().get('/broken-answer')).body).toMatchObject({
      code: 'internal-error',
      status: 500,
    });
  });

  it('tells browsers to stay with https when clients come over https', async () => {
    const { headers } = await server().get('/v1/nothing');
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });

  it('bounds how long a connection may be held', () => {
    const { headersTimeout, keepAliveTimeout, timeout, requestTimeout } = app.getHttpServer();
    expect([headersTimeout, keepAliveTimeout, timeout, requestTimeout].every((ms) => ms > 0)).toBe(true);
    expect(keepAliveTimeout).toBeGreaterThan(60_000);
  });
});

describe('ExpressServer', () => {
  it('makes requests and responses as Express wants them, so that none changes its kind', async () => {
    const prototypesOf = (...objects: object[]) =>
      objects.map((object) => Object.getPrototypeOf(object) as object);
    const made: object[][] = [];
    app
      .getHttpServer()
      .prependOnceListener('request', (incoming, outgoing) => made.push(prototypesOf(incoming, outgoing)))
      .once('request', (incoming, outgoing) => made.push(prototypesOf(incoming, outgoing)));
    await server().post('/undeclared').send({ n: 1 });
    const { request: incoming, response: outgoing } = app.getHttpAdapter().getInstance() as {
      request: object;
      response: object;
    };
    expect(made).toHaveLength(2);
    for (const [ofIncoming, ofOutgoing] of made) {
      expect(ofIncoming).toBe(incoming);
      expect(ofOutgoing).toBe(outgoing);
    }
  });
});

describe('guardBody', () => {
  it('cuts off a body that does not arrive', async () => {
    const express = new ExpressAdapter().getInstance<Application>();
    // What comes after waits for the whole body, as the JSON reader does.
    const waitForBody = (incoming: Request) => void incoming.resume();
    express.use(
      assignRequestId,
      guardBody(() => false, 100),
      waitForBody,
    );
    const slow = express.listen(0, '127.0.0.1');
    await new Promise((resolve) => slow.once('listening', resolve));
    const { port } = slow.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /x HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += String(chunk))).on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toContain('"code":"request-timeout"');
    await new Promise((resolve) => slow.close(resolve));
  });
});
