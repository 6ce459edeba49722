/**
 * What the cluster needs beside the pods: the right to elect, and a label on the leader. Decided without I/O.
 *
 * <p>Entry type: {@link dev.doyen.injector.controller.ClusterView}.
 */
@NullMarked
package dev.doyen.injector.controller;

import org.jspecify.annotations.NullMarked;
