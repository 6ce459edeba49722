@NullMarked
package dev.doyen.client.sight;

import org.jspecify.annotations.NullMarked;
