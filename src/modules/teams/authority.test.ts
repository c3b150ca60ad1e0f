import { grantableRoles, isAbove, manageableRoles } from './authority';
import { roles, scopes, scopesOfRole } from './principal';

const person = (role: (typeof roles)[number]) => ({ role, scopes: scopesOfRole[role] });

describe('who may manage whom', () => {
  it('never reaches above the own role, for any pair of roles', () => {
    for (const role of roles) {
      for (const reached of [...manageableRoles(person(role)), ...grantableRoles(person(role))]) {
        expect(isAbove(reached, role)).toBe(false);
      }
    }
  });

  it('is everybody for owners, all but owners for admins, and nobody for others', () => {
    expect(grantableRoles(person('owner'))).toEqual(['viewer', 'member', 'admin', 'owner']);
    expect(grantableRoles(person('admin'))).toEqual(['viewer', 'member', 'admin']);
    expect(grantableRoles(person('member'))).toEqual([]);
    expect(manageableRoles(person('viewer'))).toEqual([]);
  });

  it('gives tokens no owner, and no role with a scope that they lack', () => {
    expect(grantableRoles({ scopes })).toEqual(['viewer', 'member', 'admin']);
    expect(grantableRoles({ scopes: ['admin', 'runs:read'] })).toEqual(['viewer']);
    expect(grantableRoles({ scopes: ['admin'] })).toEqual([]);
    expect(manageableRoles({ scopes: ['admin'] })).toEqual(['viewer', 'member', 'admin']);
    expect(manageableRoles({ scopes: ['runs:read', 'runs:write'] })).toEqual([]);
  });
});
