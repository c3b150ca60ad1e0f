import { Controller, Delete, Get } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Public } from '../../platform/http';
import { RequireScope } from './access.decorators';
import { refuseUndeclaredRoutes } from './undeclared-routes';

@Controller('declared')
class DeclaredController {
  @Get()
  @RequireScope('runs:read')
  read() {}

  @Get('anybody')
  @Public()
  readOpenly() {}

  notARoute() {}
}

@Public()
@Controller('open')
class OpenController {
  @Get()
  read() {}
}

@Controller('forgotten')
class ForgottenController extends DeclaredController {
  @Delete(':id')
  remove() {}
}

async function check(...controllers: (new () => object)[]): Promise<void> {
  const module = await Test.createTestingModule({ imports: [DiscoveryModule], controllers }).compile();
  refuseUndeclaredRoutes(module.get(DiscoveryService));
}

describe('refuseUndeclaredRoutes', () => {
  it('accepts routes that say who may use them', async () => {
    await expect(check(DeclaredController, OpenController)).resolves.toBeUndefined();
  });

  it('names the routes that do not', async () => {
    await expect(check(DeclaredController, ForgottenController)).rejects.toThrow(
      'Routes without @RequireScope() or @Public(): DELETE :id (ForgottenController.remove).',
    );
  });
});
