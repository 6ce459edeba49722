@NullMarked
package dev.doyen.elector.tls;

import org.jspecify.annotations.NullMarked;
