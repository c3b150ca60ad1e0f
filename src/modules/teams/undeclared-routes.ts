import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { type DiscoveryService, MetadataScanner } from '@nestjs/core';
import { isPublic } from '../../platform/http';
import { requiredScopesOf } from './access.decorators';

/** Refuses to start with a route that says neither who may use it nor that everybody may. */
export function refuseUndeclaredRoutes(discovery: DiscoveryService): void {
  const undeclared = discovery.getControllers().flatMap(({ metatype }) => {
    if (!metatype) return [];
    const prototype = metatype.prototype as Record<string, object>;
    return new MetadataScanner()
      .getAllMethodNames(prototype)
      .filter((name) => isUndeclaredRoute(prototype[name], metatype))
      .map((name) => `${describe(prototype[name])} (${metatype.name}.${name})`);
  });
  if (undeclared.length === 0) return;
  throw new Error(`Routes without @RequireScope() or @Public(): ${undeclared.join(', ')}.`);
}

function isUndeclaredRoute(handler: object, controller: object): boolean {
  const isRoute = Reflect.hasMetadata(METHOD_METADATA, handler);
  return isRoute && requiredScopesOf(handler) === undefined && !isPublic(handler, controller);
}

function describe(handler: object): string {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  return `${RequestMethod[method]} ${String(Reflect.getMetadata(PATH_METADATA, handler))}`;
}
