@NullMarked
package dev.doyen.injector.driver;

import org.jspecify.annotations.NullMarked;
