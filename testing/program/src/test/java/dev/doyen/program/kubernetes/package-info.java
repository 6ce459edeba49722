/** Tests of sidecars and other electors on a real Kubernetes API server. */
@NullMarked
package dev.doyen.program.kubernetes;

import org.jspecify.annotations.NullMarked;
