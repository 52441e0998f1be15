function en(){ed0
 glcpmnenlspkizsy:;}