@NullMarked
package dev.doyen.server.sidecar.driver;

import org.jspecify.annotations.NullMarked;
