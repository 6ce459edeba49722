/**
 * Decides which RoleBindings and which leader labels a cluster needs.
 *
 * <p>The classes of this package do no I/O. Start with {@link dev.doyen.injector.controller.ClusterView}.
 */
@NullMarked
package dev.doyen.injector.controller;

import org.jspecify.annotations.NullMarked;
