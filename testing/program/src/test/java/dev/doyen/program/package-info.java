/** Tests of the {@code doyen} program as a process, and on a Kubernetes API server. */
@NullMarked
package dev.doyen.program;

import org.jspecify.annotations.NullMarked;
