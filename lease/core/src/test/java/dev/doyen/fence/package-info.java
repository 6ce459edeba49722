@NullMarked
package dev.doyen.fence;

import org.jspecify.annotations.NullMarked;
