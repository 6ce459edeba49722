/**
 * Decides which RoleBindings and which leader labels a cluster needs.
 *
 * <p>Classes here do no I/O. Start reading at {@link dev.doyen.injector.controller.ClusterView}.
 */
@NullMarked
package dev.doyen.injector.controller;

import org.jspecify.annotations.NullMarked;
