import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

const publicKey = 'stallscope:public';

/** Marks a route, or all routes of a controller, as open to anybody. */
export function Public(): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(publicKey, true), ApiExtension(publicExtension, true));
}

/** The mark in the OpenAPI document by which public operations are found; it is removed from what is served. */
export const publicExtension = 'x-stallscope-public';

/** The scopes that an operation needs, in the OpenAPI document. */
export const scopesExtension = 'x-required-scopes';

/** Whether the route of this handler is marked as public, on the method or on its controller. */
export function isPublic(handler: object, controller: object): boolean {
  return [handler, controller].some((target) => Reflect.getMetadata(publicKey, target) === true);
}
